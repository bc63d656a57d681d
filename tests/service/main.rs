//! The HTTP API as a frontend meets it: a real server on a free port.

mod answers;
mod errors;
mod feedback;
mod harness;
mod hostile;
mod neighbours;
mod parts;
mod why_not;
