# Everything the gate does, step by step.
check: lint test

lint:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings

test:
    cargo test

# The shipped data: rules, groups, intents, compendium.
lint-data:
    cargo run --release -- lint

# The question catalog against its baseline.
catalog:
    cargo run --release -- catalog diff catalog/baselines/default.json

# Answers on http://127.0.0.1:8080.
serve:
    cargo run --release -- serve

bench:
    cargo bench

# Licences, advisories and sources of the dependencies.
deny:
    cargo deny check

image:
    docker build -t wegweiser .
