//! One German page for the browser.

use crate::gaps::Report;

/// The page.
pub fn html(report: &Report) -> String {
    super::summary(report)
}
