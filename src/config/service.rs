//! Settings of `serve` alone: who may ask, from where, and when files are read again.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::domain::Problem;
use crate::yaml::Located;

/// The default of [`Service::requests_per_minute`].
pub const REQUESTS_PER_MINUTE: u32 = 600;

/// How the service meets its callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// The file of API keys; it need not exist.
    pub keys: PathBuf,
    /// Whether everybody may read what is for everybody, without a key.
    pub allow_anonymous: bool,
    /// Requests a minute for each key; 0: no limit.
    pub requests_per_minute: u32,
    /// Origins whose pages may ask, exactly as browsers write them: `https://chat.example.org`.
    pub cors_origins: Vec<String>,
    /// Address of this service in links, without a slash at its end; `None` is as each caller names it.
    pub public_url: Option<String>,
    /// Whether changed files are noticed by themselves; `POST /v1/reload` works in any case.
    pub watch: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AccessEntry {
    pub(super) keys: Option<PathBuf>,
    pub(super) allow_anonymous: bool,
    pub(super) requests_per_minute: Option<Located<u32>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CorsEntry {
    origins: Vec<Located<String>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ReloadEntry {
    watch: bool,
}

impl Default for ReloadEntry {
    fn default() -> Self {
        Self { watch: true }
    }
}

impl Service {
    pub(super) fn read(
        file: &str,
        data_dir: &Path,
        access: AccessEntry,
        cors: CorsEntry,
        reload: ReloadEntry,
        public_url: Option<Located<String>>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let AccessEntry { keys, allow_anonymous, requests_per_minute } = access;
        if let Some(limit) = requests_per_minute.as_ref().filter(|limit| limit.value > 1_000_000) {
            problems.push(Problem {
                place: limit.place(file),
                code: "config-requests-per-minute",
                message: format!("`requests_per_minute: {}` is out of range", limit.value),
                mend: "write a number from 1 to 1000000, or 0 for no limit".to_owned(),
            });
        }
        problems.extend(cors.origins.iter().filter(|origin| !is_origin(&origin.value)).map(
            |origin| {
                Problem {
                place: origin.place(file),
                code: "config-cors-origin",
                message: format!("`{}` is no origin", origin.value),
                mend: "write scheme, host and, where it is not the usual one, port in lower case, \
                       without a path: `https://chat.example.org`"
                    .to_owned(),
            }
            },
        ));
        if let Some(url) = public_url.as_ref().filter(|url| !is_link_base(&url.value)) {
            problems.push(Problem {
                place: url.place(file),
                code: "config-public-url",
                message: format!("`{}` is no address", url.value),
                mend: "write the address under which people reach this service: \
                       `https://wegweiser.example.org`"
                    .to_owned(),
            });
        }
        Self {
            public_url: public_url.map(|url| url.value.trim_end_matches('/').to_owned()),
            keys: keys.unwrap_or_else(|| data_dir.join("keys.json")),
            allow_anonymous,
            requests_per_minute: requests_per_minute
                .map_or(REQUESTS_PER_MINUTE, |limit| limit.value),
            cors_origins: cors.origins.into_iter().map(|origin| origin.value).collect(),
            watch: reload.watch,
        }
    }
}

/// Whether a text is an origin as browsers send it (RFC 6454, section 6.2): compared byte for byte.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| {
        !host.is_empty()
            && host.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-:[]".contains(&byte)
            })
    })
}

/// Whether a text is an address that links can begin with.
pub fn is_link_base(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b".-_~:[]/%".contains(&byte);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c != '/') && rest.bytes().all(is_safe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path_and_no_wildcard() {
        for good in ["https://chat.example.org", "http://localhost:3000", "http://[::1]:8080"] {
            assert!(is_origin(good), "{good}");
        }
        for bad in ["*", "https://a.de/", "a.de", "https://A.de", "https://*.a.de", "https://", ""]
        {
            assert!(!is_origin(bad), "{bad}");
        }
    }

    #[test]
    fn a_public_address_can_be_put_before_a_path() {
        for good in ["https://a.example.org", "http://127.0.0.1:8080/wegweiser/", "http://[::1]:1"]
        {
            assert!(is_link_base(good), "{good}");
        }
        for bad in [
            "",
            "a.de",
            "https://",
            "https:///x",
            "https://a.de/?q=",
            "https://a.de/)",
            "javascript://a",
        ] {
            assert!(!is_link_base(bad), "{bad}");
        }
    }

    #[test]
    fn all_problems_are_told_with_their_places() {
        let text =
            "access: {requests_per_minute: 2000000}\ncors: {origins: ['*', 'https://a.de/']}";
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("wegweiser.yaml");
        std::fs::write(&path, text).expect("written");
        let layer = super::super::Layer::default();
        let problems = super::super::load(Some(&path), layer).expect_err("three problems");
        let told: Vec<(&str, usize)> =
            problems.list().iter().map(|p| (p.code, p.place.line)).collect();
        let origin = ("config-cors-origin", 2);
        assert_eq!(told, [("config-requests-per-minute", 1), origin, origin]);
    }
}
