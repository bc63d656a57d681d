//! The question log: what was asked and what became of it, where somebody switched it on.
//!
//! Off by default. Lines of JSON in one file a day below one folder; old days are deleted. What
//! names or reaches a person ([`mask`]) is taken out before anything is written, and no address of
//! a caller ever gets here. Requests hand a record over and never wait: a full queue drops it, and
//! the log itself says how many.

mod day;
mod mask;
mod reader;
mod record;
mod writer;

pub use day::Day;
pub use mask::{mask, without_placeholders};
pub use reader::{Entry, Log, LogError, read, size};
pub use record::{Asked, Feedback, Rating, Record};
pub use writer::{QueryLog, WriteError};
