//! The command line as a person meets it: whole outputs and exit codes.

mod catalog;
mod commands;
mod determinism;
mod evaluations;
mod faults;
mod generate;
mod harness;
mod lint;
mod live;
mod processes;
