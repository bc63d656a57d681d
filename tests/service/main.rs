//! The HTTP API as a frontend meets it: a real server on a free port.

mod answers;
mod errors;
mod fusion;
mod harness;
mod hostile;
mod levers;
mod neighbours;
mod parts;
