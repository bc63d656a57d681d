//! The question log: what was asked and what became of it, where somebody switched it on.
//!
//! Off by default. Lines of JSON in one file a day below one folder; old days are deleted. What
//! names or reaches a person ([`mask`]) is taken out before anything is written, and no address of
//! a caller ever gets here. Requests hand a record over and never wait: a full queue drops it, and
//! the log itself says how many. The audit of questions ([`Audited`]) is another such log, which says who asked.

mod mask;
mod reader;
mod record;
mod writer;

pub use mask::{mask, without_placeholders};
pub use reader::{Entry, LONGEST_QUESTION, Log, LogError, read, size};
pub use record::{Asked, Audited, Feedback, Rating, Record};
pub use writer::{DailyLog, QueryLog, WriteError};
