//! Questions to a server over plain sockets.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

/// Sends a question; the answer is still to be read. `headers` are further lines of the head.
pub(crate) fn ask(address: &str, headers: &str, question: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("connected");
    let body = json!({ "question": question }).to_string();
    let head = format!(
        "POST /v1/search HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         connection: close\r\n{headers}content-length: {}\r\n\r\n",
        body.len()
    );
    write!(stream, "{head}{body}").expect("sent");
    stream
}

/// The first line of an answer, and its body.
pub(crate) fn reply(mut stream: TcpStream) -> (String, Value) {
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("an answer");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let status = head.lines().next().unwrap_or_default().to_owned();
    (status, serde_json::from_str(body).expect("JSON"))
}

/// Reads one request: its first line, and its body.
pub(crate) fn request(socket: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).ok().filter(|count| *count > 0)?;
        read.extend_from_slice(&buffer[..count]);
        let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.map_or(0, |length| length.trim().parse().expect("a number"));
        if read.len() >= end + 4 + length {
            let first = head.lines().next().unwrap_or_default().to_owned();
            return Some((first, read[end + 4..].to_vec()));
        }
    }
}
