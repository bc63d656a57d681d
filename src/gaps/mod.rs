//! Content gaps: what editors must write next.

mod finding;
pub mod live;
mod promote;

pub use finding::{Action, Code, Evidence, Finding, Mend, Named, Severity, Subject, number, rank};
pub use promote::{Promoted, promote};
