//! Whether a client is still there.
//!
//! actix finishes a request whose client closed the connection, since it may have been closed in one
//! direction only. Clients of an HTTP API do not do that: one that stopped sending has given up, and a
//! question of nobody would keep its place until its end.

use std::any::Any;

#[cfg(unix)]
mod unix {
    use std::any::Any;
    use std::io::{self, ErrorKind};
    use std::net::TcpStream;
    use std::os::fd::AsFd as _;
    use std::sync::Arc;

    use actix_web::rt::net;
    use tokio::io::Interest;

    /// The other end of a connection.
    #[derive(Debug, Clone)]
    pub(in super::super) struct Peer(Arc<TcpStream>);

    impl Peer {
        pub(super) fn new(connection: &dyn Any) -> Option<Self> {
            let stream = connection.downcast_ref::<net::TcpStream>()?;
            Some(Self(Arc::new(stream.as_fd().try_clone_to_owned().ok()?.into())))
        }

        /// Ends once the client has closed the connection; never where that can not be told.
        pub(super) async fn gone(self) {
            if self.closed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }

        async fn closed(&self) -> io::Result<()> {
            let connection = net::TcpStream::from_std(self.0.try_clone()?)?;
            while !connection.ready(Interest::READABLE).await?.is_read_closed() {
                // Something was sent; who handles requests reads it. Here the next change is waited for.
                let nothing: io::Result<()> =
                    connection.try_io(Interest::READABLE, || Err(ErrorKind::WouldBlock.into()));
                debug_assert!(nothing.is_err());
            }
            Ok(())
        }
    }
}

#[cfg(unix)]
pub(super) use unix::Peer;

/// Where the system does not tell: nobody goes.
#[cfg(not(unix))]
#[derive(Debug, Clone)]
pub(super) struct Peer;

#[cfg(not(unix))]
impl Peer {
    fn new(_: &dyn Any) -> Option<Self> {
        None
    }

    async fn gone(self) {
        std::future::pending().await
    }
}

/// Remembers the other end of a new connection for its requests.
pub(super) fn remember(connection: &dyn Any, data: &mut actix_web::dev::Extensions) {
    if let Some(peer) = Peer::new(connection) {
        data.insert(peer);
    }
}

/// Ends once the client of a request has closed the connection.
pub(super) async fn gone(peer: Option<Peer>) {
    match peer {
        Some(peer) => peer.gone().await,
        None => std::future::pending().await,
    }
}
