//! The HTTP API as a frontend meets it: a real server on a free port.

mod answers;
mod catalog;
mod errors;
mod harness;
mod hostile;
mod neighbours;
mod parts;
