//! What stands before the handlers: who asks, what he accepts, which pages may ask.

use std::future::{Ready, ready};
use std::net::IpAddr;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, FORWARDED, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, VARY, VIA,
};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse, ResponseError as _, web};

use super::error::ApiError;
use super::state::State;
use crate::access::{Caller, Role, Shown};

/// Every handler of `/v1` takes a caller: who has none can not be let in by mistake.
impl FromRequest for Caller {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(admitted(request).map_err(Error::from))
    }
}

/// Who asks; the request counts against his limit.
pub(super) fn admitted(request: &HttpRequest) -> Result<Caller, ApiError> {
    let state = state(request);
    let caller = caller(request, state)?;
    state.count(&caller, 1)?;
    Ok(caller)
}

/// Who asks, without counting it.
pub(super) fn caller(request: &HttpRequest, state: &State) -> Result<Caller, ApiError> {
    let shown = Shown {
        token: token(request.headers()),
        is_direct: is_direct(request, state.origins()),
        peer: request.peer_addr().map(|address| address.ip()),
    };
    state.gate().caller(shown).map_err(ApiError::Unauthorized)
}

/// Refuses callers below a role.
pub(super) fn needs(caller: &Caller, needed: Role) -> Result<(), ApiError> {
    if caller.role >= needed { Ok(()) } else { Err(ApiError::Forbidden { needed }) }
}

/// What all handlers share.
pub(super) fn state(request: &HttpRequest) -> &State {
    request.app_data::<web::Data<State>>().expect("every app has a state")
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Whether a request was sent to this machine under its own name, by no page of another origin than
/// the service's and the configured ones, and passed no proxy that says so. A page elsewhere can make
/// a browser send here under the page's own host, or under this one with the page's origin.
fn is_direct(request: &HttpRequest, origins: &[String]) -> bool {
    let headers = request.headers();
    let proxied = [
        FORWARDED,
        VIA,
        HeaderName::from_static("x-forwarded-for"),
        HeaderName::from_static("x-forwarded-host"),
        HeaderName::from_static("x-real-ip"),
    ];
    let info = request.connection_info();
    let host = info.host();
    let name = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    };
    let is_own = name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let is_own_page = headers.get(ORIGIN).is_none_or(|origin| {
        origins.iter().any(|known| known == origin)
            || origin.to_str().is_ok_and(|origin| origin == format!("{}://{host}", info.scheme()))
    });
    is_own && is_own_page && !proxied.iter().any(|name| headers.contains_key(name))
}

/// 406 where the caller accepts nothing that the endpoint makes.
pub(super) async fn negotiation(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let produced = super::endpoints::produced(request.match_pattern().as_deref());
    let accepted = |types: &&[&str]| types.iter().any(|of| accepts(request.headers(), of));
    if let Some(types) = produced.filter(|types| !accepted(types)) {
        let (path, produced) = (request.path().to_owned(), types.join(" or "));
        // An answer, not an error: it has a number, is counted and logged like all.
        let refused = ApiError::NotAcceptable { path, produced };
        return Ok(request.into_response(refused.error_response()).map_into_right_body());
    }
    Ok(next.call(request).await?.map_into_left_body())
}

/// Whether a media type is accepted (RFC 9110, section 12.5.1). What can not be read excludes nothing.
fn accepts(headers: &HeaderMap, produced: &str) -> bool {
    let ranges: Vec<&str> = headers
        .get_all(ACCEPT)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|range| range.contains('/'))
        .collect();
    let kind = produced.split('/').next().unwrap_or(produced);
    let quality = |range: &str| {
        let mut parameters = range.split(';').skip(1).map(str::trim);
        let quality = parameters.find_map(|parameter| parameter.strip_prefix("q="));
        quality.map_or(1.0, |quality| quality.trim().parse::<f32>().unwrap_or(1.0))
    };
    // The most specific range decides.
    let best = ranges
        .iter()
        .filter_map(|range| {
            let name = range.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
            let rank = if name == produced {
                3
            } else if name == format!("{kind}/*") {
                2
            } else {
                u8::from(name == "*/*")
            };
            (rank > 0).then(|| (rank, quality(range)))
        })
        .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    ranges.is_empty() || best.is_some_and(|(_, quality)| quality > 0.0)
}

/// CORS (Fetch, section 3.2): pages of the configured origins may ask; others get no header, which
/// makes their browser refuse. No cookies, so no credentials.
pub(super) async fn cors<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let state = request.app_data::<web::Data<State>>().expect("every app has a state");
    let origins = state.origins();
    if origins.is_empty() {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    let origin = request.headers().get(ORIGIN).cloned();
    let allowed = origin.filter(|origin| origins.iter().any(|known| known == origin));
    let is_preflight = request.method() == Method::OPTIONS
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if let (Some(_), true) = (&allowed, is_preflight) {
        let mut response = HttpResponse::NoContent();
        response.insert_header((ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"));
        let headers = "authorization, content-type, x-request-id";
        response.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, headers));
        response.insert_header((ACCESS_CONTROL_MAX_AGE, "600"));
        request.into_response(response.finish()).map_into_right_body()
    } else {
        next.call(request).await?.map_into_left_body()
    };
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        let exposed = HeaderValue::from_static("retry-after, server-timing, x-request-id");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_most_specific_range_decides_what_is_accepted() {
        let accepts = |accept: &str| {
            let request = TestRequest::default().insert_header((ACCEPT, accept)).to_http_request();
            accepts(request.headers(), "application/json")
        };
        for good in [
            "*/*",
            "application/json",
            "application/*",
            "text/html, */*;q=0.1",
            "nonsense",
            "",
            "APPLICATION/JSON; charset=utf-8",
            "text/html, application/json;q=0.5",
        ] {
            assert!(accepts(good), "{good}");
        }
        for bad in ["text/html", "application/json;q=0, */*", "text/*", "*/*;q=0"] {
            assert!(!accepts(bad), "{bad}");
        }
    }

    #[test]
    fn only_this_machine_under_its_own_name_is_direct() {
        let direct = |host: &str, proxied: bool| {
            let mut request = TestRequest::default().insert_header(("host", host));
            if proxied {
                request = request.insert_header(("x-forwarded-for", "192.0.2.1"));
            }
            is_direct(&request.to_http_request(), &[])
        };
        for own in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST", "127.0.0.1"] {
            assert!(direct(own, false), "{own}");
            assert!(!direct(own, true), "{own} through a proxy");
        }
        for other in ["evil.example:8080", "localhost.evil.example", "10.0.0.1", "[2001:db8::1]"] {
            assert!(!direct(other, false), "{other}");
        }
    }
}
