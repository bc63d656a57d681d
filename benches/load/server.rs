//! The server that is put under load, and a slow language model.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Rules, compendium and data of the measurement.
#[derive(Debug)]
pub(crate) struct Folder {
    temporary: tempfile::TempDir,
    pub(crate) catalog: PathBuf,
}

/// A server that ends with this value.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    pub(crate) address: String,
}

impl Folder {
    fn path(&self, name: &str) -> PathBuf {
        self.temporary.path().join(name)
    }

    /// The compendium as it is shipped (0), or with a section more (1).
    pub(crate) fn change(&self, state: usize) {
        let page = self.path("compendium/mehr.md");
        let text =
            ["# Mehr\n", "# Mehr\n\n## Gebühren der Mahnung\n\nEine Mahnung kostet zwei Euro.\n"];
        let aside = page.with_extension("md~");
        fs::write(&aside, text[state]).expect("written");
        fs::rename(aside, page).expect("renamed");
    }
}

impl Running {
    /// Copies what is shipped, and embeddings that are there already.
    pub(crate) fn folder() -> Folder {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let temporary = tempfile::tempdir().expect("a folder");
        for name in ["rules", "compendium", "data/cache"] {
            if root.join(name).is_dir() {
                copy(&root.join(name), &temporary.path().join(name));
            }
        }
        let folder = Folder { temporary, catalog: root.join("catalog") };
        folder.change(0);
        folder
    }

    /// Starts it and waits until it is ready.
    pub(crate) fn start(binary: PathBuf, folder: &mut Folder, more: &[&str]) -> Self {
        let mut child = Command::new(binary)
            .current_dir(folder.temporary.path())
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"])
            .args(["--rules", "rules", "--compendium", "compendium"])
            .args(more)
            .env_remove("WEGWEISER_CONFIG")
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut log = BufReader::new(child.stderr.take().expect("piped"));
        let (mut address, mut line) = (String::new(), String::new());
        while !line.contains(" ready") {
            line.clear();
            assert!(log.read_line(&mut line).expect("a line") > 0, "it ended before it was ready");
            if let Some((_, found)) = line.split_once("listening on ") {
                found.trim().clone_into(&mut address);
            }
        }
        thread::spawn(move || log.lines().for_each(drop));
        Self { child, address }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).expect("copied");
        }
    }
}

/// An Ollama server that answers every question with the same intent after this time.
pub(crate) fn slow_model(after: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    thread::spawn(move || {
        for socket in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || answer(socket, after));
        }
    });
    url
}

fn answer(mut socket: TcpStream, after: Duration) {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let Ok(count @ 1..) = socket.read(&mut buffer) else { return };
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        if serde_json::from_str::<Value>(body).is_ok() {
            break;
        }
    }
    thread::sleep(after);
    let message = json!({"role": "assistant", "content": r#"{"intent": "how"}"#});
    let body = json!({"model": "llama3", "message": message, "done": true}).to_string();
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    let _ = write!(socket, "{head}\r\n{body}");
}
