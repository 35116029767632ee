import { UnstyledButton } from "@mantine/core";
import { useCallback, useId, useState, type ReactNode, type RefCallback } from "react";

import classes from "./data-table.module.css";

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
}

/** Expandable details of a row. */
export interface Details<Row> {
  /** Names the row for screen readers: "Details of run 7". */
  readonly label: (row: Row) => string;
  readonly content: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** A sentence below the row, across all columns. */
  readonly note?: (row: Row) => ReactNode;
  readonly details?: Details<Row>;
}

/**
 * A table whose rows become cards on narrow screens. The first column names the row. Roles are explicit because
 * browsers drop those of a table with changed display properties.
 */
export function DataTable<Row>({ label, columns, rows, rowKey, note, details }: DataTableProps<Row>): ReactNode {
  const [frame, scrolls] = useScrolls();
  return (
    <div ref={frame} className={classes.frame} {...(scrolls && { role: "region", "aria-label": label, tabIndex: 0 })}>
      <table className={classes.table} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ header, numeric }) => (
              <th key={header} role="columnheader" scope="col" data-numeric={numeric}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row) => (
          <DataRow key={rowKey(row)} row={row} columns={columns} note={note?.(row)} details={details} />
        ))}
      </table>
    </div>
  );
}

/** Whether the content is wider than the frame; if so, the frame takes the focus, so that keys scroll it. */
function useScrolls(): [RefCallback<HTMLElement>, boolean] {
  const [scrolls, setScrolls] = useState(false);
  const frame = useCallback((element: HTMLElement | null) => {
    if (element === null) {
      return;
    }
    const measure = (): void => {
      setScrolls(element.scrollWidth > element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const watched of [element, ...element.children]) {
      observer.observe(watched);
    }
    return () => {
      observer.disconnect();
    };
  }, []);
  return [frame, scrolls];
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly note: ReactNode;
  readonly details: Details<Row> | undefined;
}

function DataRow<Row>({ row, columns, note, details }: DataRowProps<Row>): ReactNode {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const [name, ...figures] = columns;
  return (
    <tbody role="rowgroup">
      <tr role="row">
        <th role="rowheader" scope="row">
          <div className={classes.name}>
            {details && (
              <UnstyledButton
                className={classes.toggle}
                aria-expanded={open}
                aria-controls={open ? panel : undefined}
                aria-label={details.label(row)}
                onClick={() => {
                  setOpen(!open);
                }}
              >
                <svg viewBox="0 0 16 16" aria-hidden>
                  <path d="m6 3.5 4.5 4.5L6 12.5" />
                </svg>
              </UnstyledButton>
            )}
            <div>{name?.cell(row)}</div>
          </div>
        </th>
        {figures.map(({ header, cell, numeric }) => (
          <td key={header} role="cell" data-label={header} data-numeric={numeric}>
            {cell(row)}
          </td>
        ))}
      </tr>
      {note != null && (
        <tr role="row" className={classes.note}>
          <td role="cell" colSpan={columns.length}>
            {note}
          </td>
        </tr>
      )}
      {details && open && (
        <tr role="row" className={classes.details} id={panel}>
          <td role="cell" colSpan={columns.length}>
            {details.content(row)}
          </td>
        </tr>
      )}
    </tbody>
  );
}
