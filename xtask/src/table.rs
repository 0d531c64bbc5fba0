//! Tables in Markdown that also read well as plain text.

/// Columns are as wide as their widest cell; all but the first are numbers, hence to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<const N: usize>(heads: [&str; N]) -> Table {
        Table::of(heads.into_iter())
    }

    pub fn of<'a>(heads: impl Iterator<Item = &'a str>) -> Table {
        Table { rows: vec![heads.map(String::from).collect()] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub fn text(&self) -> String {
        let widths = self.widths();
        let rule = |(column, width): (usize, &usize)| match column {
            0 => "-".repeat(*width),
            _ => "-".repeat(*width - 1) + ":",
        };
        let rule: Vec<String> = widths.iter().enumerate().map(rule).collect();
        let mut lines: Vec<String> = self.rows.iter().map(|row| line(row, &widths)).collect();
        lines.insert(1, line(&rule, &widths));
        lines.concat()
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        (0..self.rows[0].len()).map(width).collect()
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let cell = |(column, (cell, &width)): (usize, (&String, &usize))| match column {
        0 => format!("| {cell:<width$} "),
        _ => format!("| {cell:>width$} "),
    };
    cells.iter().zip(widths).enumerate().map(cell).collect::<String>() + "|\n"
}

/// With a comma after each three digits.
pub fn grouped(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned() {
        let mut table = Table::new(["name", "n"]);
        table.row(vec!["a".into(), grouped(1_234_005)]);
        let expected = "| name |         n |\n| ---- | --------: |\n| a    | 1,234,005 |\n";
        assert_eq!(table.text(), expected);
    }
}
