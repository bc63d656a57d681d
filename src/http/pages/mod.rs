//! The German pages. Each is a fixed document with a script that asks the API; nothing of the
//! compendium stands in them, so everybody may load them. They load nothing from elsewhere, and their
//! policy forbids it.

use std::sync::LazyLock;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, EntityTag, Header as _,
    HeaderValue, IfNoneMatch, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, web};
use sha2::{Digest as _, Sha256};

use super::error::ApiError;
use crate::catalog::report::STYLE;
use crate::domain::hex;
use crate::gaps::report::STYLE_OF_GAPS;

/// Media type of the pages.
pub(super) const HTML: &str = "text/html";
/// Pattern of the address of style and scripts.
pub(super) const FILES: &str = "/seiten/{file}";

/// Only our own style and scripts, no inline ones; only our own API; nobody may frame a page, which
/// keeps others from making somebody click in it.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const LAYOUT: &str = include_str!("layout.html");
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// Something that is served as it is.
struct Asset {
    media_type: &'static str,
    text: String,
    tag: EntityTag,
}

impl Asset {
    fn new(media_type: &'static str, text: String) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let tag = hex(digest.get(..12).unwrap_or_default());
        Self { media_type, text, tag: EntityTag::new_strong(tag) }
    }

    /// The asset, or 304 where the browser has it.
    fn reply(&self, request: &HttpRequest) -> HttpResponse {
        let is_known = match IfNoneMatch::parse(request) {
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.tag)),
            Ok(IfNoneMatch::Any) | Err(_) => false,
        };
        let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response
            .insert_header((ETAG, self.tag.to_string()))
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header((CONTENT_SECURITY_POLICY, POLICY))
            .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header((REFERRER_POLICY, "no-referrer"));
        if is_known {
            return response.finish();
        }
        response.insert_header((CONTENT_TYPE, self.media_type)).body(self.text.clone())
    }
}

macro_rules! page {
    ($(#[$doc:meta])* $handler:ident, $path:literal, $title:literal, $name:literal) => {
        $(#[$doc])*
        pub(super) async fn $handler(request: HttpRequest) -> HttpResponse {
            static PAGE: LazyLock<Asset> = LazyLock::new(|| {
                page($path, $title, $name, include_str!(concat!($name, ".html")))
            });
            PAGE.reply(&request)
        }
    };
}

page!(
    /// *Suche*
    search, "/", "Suche", "suche"
);
page!(
    /// *Katalog*
    catalog, "/katalog", "Katalog", "katalog"
);
page!(
    /// *Lücken*
    gaps, "/luecken", "Lücken", "luecken"
);
page!(
    /// *Regeln*
    rules, "/regeln", "Regeln", "regeln"
);
page!(
    /// *Zustand*
    status, "/zustand", "Zustand", "zustand"
);

/// A section for whom a link led to it: the same address gives programs JSON.
pub(super) async fn section(request: HttpRequest) -> HttpResponse {
    static PAGE: LazyLock<Asset> =
        LazyLock::new(|| page("", "Abschnitt", "abschnitt", include_str!("abschnitt.html")));
    let mut response = PAGE.reply(&request);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

fn page(path: &str, title: &str, name: &str, main: &str) -> Asset {
    let link = format!("<li><a href=\"{path}\"");
    let text = LAYOUT
        .replacen(&link, &format!("{link} aria-current=\"page\""), 1)
        .replace("{{title}}", title)
        .replace("{{script}}", name)
        .replace("{{main}}", main);
    Asset::new("text/html; charset=utf-8", text)
}

/// Style and scripts.
pub(super) async fn file(
    request: HttpRequest,
    name: web::Path<String>,
) -> Result<HttpResponse, ApiError> {
    static ASSETS: LazyLock<Vec<(&str, Asset)>> = LazyLock::new(|| {
        let style = [STYLE, STYLE_OF_GAPS, include_str!("pages.css")].concat();
        let mut assets = vec![("stil.css", Asset::new(CSS, style))];
        let scripts = [
            ("gemeinsam.js", include_str!("gemeinsam.js")),
            ("abschnitt.js", include_str!("abschnitt.js")),
            ("suche.js", include_str!("suche.js")),
            ("warum.js", include_str!("warum.js")),
            ("hinweise.js", include_str!("hinweise.js")),
            ("katalog.js", include_str!("katalog.js")),
            ("luecken.js", include_str!("luecken.js")),
            ("karte.js", include_str!("karte.js")),
            ("regeln.js", include_str!("regeln.js")),
            ("zustand.js", include_str!("zustand.js")),
        ];
        assets.extend(scripts.map(|(name, text)| (name, Asset::new(JS, text.to_owned()))));
        assets
    });
    let found = ASSETS.iter().find(|(own, _)| *own == name.as_str());
    let (_, asset) =
        found.ok_or_else(|| ApiError::NotFound(request.path().chars().take(200).collect()))?;
    Ok(asset.reply(&request))
}
