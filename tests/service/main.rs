//! The HTTP API as a frontend meets it: a real server on a free port.

mod access;
mod answers;
mod api;
mod audit;
mod backup;
mod catalog;
mod chat;
mod errors;
mod facets;
mod feedback;
mod harness;
mod hidden;
mod hidden_world;
mod hostile;
mod limits;
mod mcp;
mod neighbours;
mod pages;
mod parts;
mod promote;
mod reload;
mod why_not;
mod work;
