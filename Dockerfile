# Build: docker build -t wegweiser .
# Run:   docker run -p 127.0.0.1:8080:8080 -e WEGWEISER_ALLOW_ANONYMOUS=true -v wegweiser:/data wegweiser
# or with keys: docker run --rm -v wegweiser:/data wegweiser keys create chat --role reader
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
# Dependencies alone first: they change seldom and take most of the time.
RUN mkdir -p src benches && echo 'fn main() {}' > src/main.rs && touch src/lib.rs \
 && cp Cargo.toml Cargo.full.toml \
 && awk '/^\[\[bench\]\]/{skip=1} /^\[/ && !/^\[\[bench\]\]/{skip=0} !skip' Cargo.full.toml > Cargo.toml \
 && cargo build --release && cp Cargo.full.toml Cargo.toml
COPY models models
COPY rules rules
COPY compendium compendium
COPY benches benches
COPY src src
RUN touch src/main.rs src/lib.rs && cargo build --release --locked --bin wegweiser

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl libstdc++6 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --create-home wegweiser
COPY --from=build /src/target/release/wegweiser /usr/local/bin/wegweiser
# Rules, demo compendium and model are inside the binary; mount your own over /app/rules and
# /app/compendium.
WORKDIR /app
USER wegweiser
ENV WEGWEISER_LISTEN=0.0.0.0:8080 WEGWEISER_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
# The first start embeds the compendium; the process is healthy from the first moment.
HEALTHCHECK --interval=10s --timeout=2s --start-period=10s CMD curl -fsS http://127.0.0.1:8080/healthz || exit 1
ENTRYPOINT ["wegweiser"]
CMD ["serve"]
