//! The HTTP API. It translates; what is answered is decided in the pipeline.

mod background;
mod catalog_runs;
mod chat;
mod endpoints;
mod error;
mod feedback;
mod fields;
mod gaps;
mod german;
mod guard;
mod health;
mod keeper;
mod limits;
mod mcp;
mod metrics;
mod openapi;
mod pages;
mod peer;
mod reload;
mod request_id;
mod rules;
mod run_files;
mod search;
mod sections;
mod state;
mod status;
mod watch;
mod wire;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};

pub use keeper::Keeper;
pub use limits::Limits;
pub use openapi::document as openapi_document;
pub use state::{Readiness, StartError, State};

/// Running requests get this long to finish after SIGTERM.
const SHUTDOWN_SECONDS: u64 = 30;

/// A server that has its port and may be run.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// Takes the port, before any slow work: a taken port is told at once.
    ///
    /// # Errors
    /// The address is taken or not ours.
    pub fn new(address: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Where it listens; the port is the real one where 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until SIGTERM or Ctrl-C, then finishes running requests.
    ///
    /// # Errors
    /// The listener can not be used.
    pub fn run(self, state: Arc<State>) -> std::io::Result<Server> {
        let state = web::Data::from(state);
        let mcp = web::Data::new(mcp::service(state.clone()));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(state.clone())
                .app_data(mcp.clone())
                .wrap(Compress::default())
                .wrap(from_fn(guard::negotiation))
                .wrap(from_fn(guard::cors))
                .wrap(from_fn(request_id::middleware))
                .configure(endpoints::register)
        })
        .on_connect(peer::remember)
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .listen(self.listener)?
        .run();
        Ok(server)
    }
}
