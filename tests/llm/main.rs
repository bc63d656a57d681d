//! llama3 via Ollama, against a server that plays scripts over real HTTP.

mod answers;
mod harness;
