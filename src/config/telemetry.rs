//! Where traces go.

use serde::Deserialize;

use super::is_link_base;
use crate::domain::{Place, Problem};
use crate::yaml::Located;

/// The default of [`Telemetry::service_name`].
pub const SERVICE_NAME: &str = "wegweiser";

/// A collector of traces (OpenTelemetry, OTLP over HTTP with protobuf).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Telemetry {
    /// Its address without `/v1/traces`, for example `http://127.0.0.1:4318`.
    pub endpoint: String,
    /// What this service is called there.
    pub service_name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TelemetryEntry {
    endpoint: Option<Located<String>>,
    service_name: Option<String>,
}

impl Telemetry {
    /// `endpoint` and `service_name` are those of flags and environment, which win.
    pub(super) fn read(
        file: &str,
        entry: TelemetryEntry,
        endpoint: Option<String>,
        service_name: Option<String>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        // An empty variable is how compose files and shells say "not set".
        let set = |text: &String| !text.trim().is_empty();
        let named = endpoint
            .filter(set)
            .map(|endpoint| (Place::start_of("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned()), endpoint));
        let written = || entry.endpoint.map(|endpoint| (endpoint.place(file), endpoint.value));
        let (place, endpoint) = named.or_else(written)?;
        if !(is_link_base(&endpoint) && endpoint.starts_with("http://")) {
            problems.push(Problem {
                place,
                code: "config-telemetry-endpoint",
                message: format!("`{endpoint}` is no address of a collector"),
                mend:
                    "write for example `http://127.0.0.1:4318`; where the collector wants TLS, run \
                       one beside this service that sends on"
                        .to_owned(),
            });
        }
        let service_name = service_name.filter(set).or(entry.service_name);
        Some(Self {
            endpoint,
            service_name: service_name.unwrap_or_else(|| SERVICE_NAME.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Layer, load};
    use super::*;

    fn read(text: &str, over: Layer) -> Option<Telemetry> {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("wegweiser.yaml");
        std::fs::write(&path, text).expect("written");
        load(Some(&path), over).expect("fine").telemetry
    }

    #[test]
    fn traces_are_off_until_a_collector_is_named() {
        let named = |endpoint: &str, name: Option<&str>| Layer {
            telemetry_endpoint: Some(endpoint.to_owned()),
            service_name: name.map(ToOwned::to_owned),
            ..Layer::default()
        };
        assert_eq!(read("", Layer::default()), None);
        assert_eq!(read("telemetry: {service_name: x}\n", named(" ", Some("y"))), None);
        let from_file = read("telemetry: {endpoint: 'http://a:4318'}\n", Layer::default());
        let expected = |endpoint: &str, name: &str| Telemetry {
            endpoint: endpoint.into(),
            service_name: name.into(),
        };
        assert_eq!(from_file, Some(expected("http://a:4318", SERVICE_NAME)));
        let text = "telemetry: {endpoint: 'http://a:4318', service_name: x}\n";
        assert_eq!(read(text, named("http://b:4318", None)), Some(expected("http://b:4318", "x")));
        assert_eq!(
            read(text, named("http://b:4318", Some("y"))),
            Some(expected("http://b:4318", "y"))
        );
    }

    #[test]
    fn an_address_that_can_not_work_is_told() {
        for bad in ["127.0.0.1:4318", "https://collector.example.org", "http://", "grpc://a:4317"] {
            let over = Layer { telemetry_endpoint: Some(bad.to_owned()), ..Layer::default() };
            let dir = tempfile::tempdir().expect("a folder");
            let path = dir.path().join("wegweiser.yaml");
            std::fs::write(&path, "").expect("written");
            let problems = load(Some(&path), over).expect_err("no such address");
            assert_eq!(problems.list()[0].code, "config-telemetry-endpoint", "{bad}");
        }
    }
}
