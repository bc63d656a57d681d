//! The command line as a person meets it: whole outputs and exit codes.

mod catalog;
mod commands;
mod determinism;
mod evaluations;
mod faults;
mod gaps;
mod generate;
mod harness;
mod http;
mod lint;
mod live;
mod preview;
mod processes;
mod service;
mod shutdown;
mod traces;
mod tune;
