//! Pandoc's grid and multi-line tables as pipe tables, which the Markdown parser knows.

/// Longest header of a multi-line table in lines; a bound, so that a search for one stays short.
const LONGEST_HEADER: usize = 8;
/// Most lines of one table.
const LONGEST_TABLE: usize = 2_000;

/// Whether `line` opens a grid table: `+---+---+`.
pub(super) fn is_grid(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2
        && line.starts_with('+')
        && line.ends_with('+')
        && line.chars().all(|c| "+-=:".contains(c))
}

/// The pipe table for the grid table at the start of `lines`, and how many lines it took.
pub(super) fn grid(lines: &[&str]) -> (Vec<String>, usize) {
    let end = lines
        .iter()
        .position(|line| !is_grid(line) && !line.trim_start().starts_with('|'))
        .unwrap_or(lines.len());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row: Vec<String> = Vec::new();
    for line in &lines[..end] {
        if is_grid(line) {
            rows.push(std::mem::take(&mut row));
            continue;
        }
        let line = line.trim();
        let cells = line.trim_matches('|').split('|');
        join(&mut row, cells);
    }
    rows.push(row);
    (pipe(rows), end)
}

/// The pipe table for the multi-line or simple table whose first rule is at the start of `lines`.
pub(super) fn ruled(lines: &[&str]) -> Option<(Vec<String>, usize)> {
    let multi_line = is_rule(lines.first()?);
    let ruler = if multi_line {
        1 + lines.iter().skip(1).take(LONGEST_HEADER).position(|line| columns(line).is_some())?
    } else {
        1
    };
    let columns = columns(lines.get(ruler)?)?;
    let header = &lines[usize::from(multi_line)..ruler];
    let body = &lines[ruler + 1..];
    let ends = |line: &&&str| {
        if multi_line {
            is_rule(line)
        } else {
            line.trim().is_empty() || self::columns(line).is_some()
        }
    };
    let length = match body.iter().take(LONGEST_TABLE).position(|line| ends(&line)) {
        Some(length) => length,
        None if !multi_line && body.len() <= LONGEST_TABLE => body.len(),
        None => return None,
    };
    let is_closed = body.get(length).is_some_and(|line| !line.trim().is_empty());
    let mut rows = vec![Vec::new()];
    for line in header {
        join(&mut rows[0], cells(line, &columns).iter().map(String::as_str));
    }
    for line in &body[..length] {
        if !multi_line || line.trim().is_empty() || rows.len() == 1 {
            rows.push(Vec::new());
        }
        let row = rows.last_mut().expect("a row was pushed above");
        join(row, cells(line, &columns).iter().map(String::as_str));
    }
    Some((pipe(rows), ruler + 1 + length + usize::from(is_closed)))
}

/// A line of dashes over the whole table.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 10 && line.bytes().all(|b| b == b'-')
}

/// The columns under a ruler `---- ------`: start and end in characters, the last one open.
pub(super) fn columns(line: &str) -> Option<Vec<(usize, usize)>> {
    if !line.trim_start().starts_with("--") || !line.bytes().all(|b| b == b'-' || b == b' ') {
        return None;
    }
    let bytes = line.as_bytes();
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&at| bytes[at] == b'-' && (at == 0 || bytes[at - 1] == b' '))
        .collect();
    let long = line.split_whitespace().all(|group| group.len() >= 2);
    (starts.len() >= 2 && long).then(|| {
        let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
        starts.iter().copied().zip(ends).collect()
    })
}

fn cells(line: &str, columns: &[(usize, usize)]) -> Vec<String> {
    columns
        .iter()
        .map(|&(start, end)| line.chars().skip(start).take(end - start).collect())
        .collect()
}

fn join<'a>(row: &mut Vec<String>, cells: impl Iterator<Item = &'a str>) {
    for (at, cell) in cells.enumerate() {
        if row.len() == at {
            row.push(String::new());
        }
        let cell = cell.trim().replace('|', "\\|");
        if !cell.is_empty() {
            if !row[at].is_empty() {
                row[at].push(' ');
            }
            row[at].push_str(&cell);
        }
    }
}

fn pipe(rows: Vec<Vec<String>>) -> Vec<String> {
    let mut rows =
        rows.into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).peekable();
    let width = rows.peek().map_or(0, Vec::len);
    let mut lines = vec![String::new()];
    for (at, row) in rows.enumerate() {
        lines.push(format!("| {} |", row.join(" | ")));
        if at == 0 {
            lines.push(format!("|{}", "---|".repeat(width)));
        }
    }
    lines.push(String::new());
    lines
}
