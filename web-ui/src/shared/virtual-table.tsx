import { UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useRef, type CSSProperties, type KeyboardEvent, type ReactNode } from "react";

import classes from "./virtual-table.module.css";

export interface VirtualColumn<Row> {
  readonly id: string;
  readonly header: string;
  /** A track of a CSS grid: `8rem`, `minmax(12rem, 2fr)`. */
  readonly width: string;
  readonly numeric?: boolean;
  /** The name by which the service sorts; undefined if it cannot. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

/** The chosen rows, and the callback of their checkboxes. */
export interface Selection<Row> {
  readonly keys: ReadonlySet<string>;
  readonly label: (row: Row) => string;
  readonly onToggle: (key: string) => void;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly VirtualColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selection: Selection<Row>;
  /** The name by which rows are sorted, with a minus for descending order. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** Called when the last rows come into view, and there may be more. */
  readonly onNearEnd: () => void;
}

const ROW_HEIGHT = 44;
const OVERSCAN = 12;
const NEAR = 40;

/**
 * A table of thousands of rows of equal height that renders only the rows in view. The arrow keys move from row to row;
 * the first column holds the link of its row.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, selection, sort, onSort, onNearEnd } = props;
  const frame = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its result is not kept beyond this call
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const drawn = virtualizer.getVirtualItems();
  const lastDrawn = drawn.at(-1)?.index ?? 0;

  useEffect(() => {
    if (lastDrawn + NEAR >= rows.length) {
      onNearEnd();
    }
  }, [lastDrawn, rows.length, onNearEnd]);

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const step = STEPS[event.key];
    const current = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    if (step === undefined || current === null) {
      return;
    }
    event.preventDefault();
    const next = Math.max(0, Math.min(rows.length - 1, Number(current.dataset.index) + step));
    virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => {
      frame.current?.querySelector<HTMLElement>(`[data-index="${next.toString()}"] a`)?.focus({ preventScroll: true });
    });
  }

  const tracks = { "--tracks": `2.5rem ${columns.map(({ width }) => width).join(" ")}` } as CSSProperties;
  return (
    <div className={classes.frame} ref={frame} style={tracks} onKeyDown={move}>
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={classes.table}>
        <div role="rowgroup" className={classes.head}>
          <div role="row" aria-rowindex={1} className={classes.row}>
            <span role="columnheader" aria-label="Chosen" />
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {drawn.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <DrawnRow
                  key={rowKey(row)}
                  row={row}
                  index={index}
                  start={start}
                  columns={columns as readonly VirtualColumn<unknown>[]}
                  isChosen={selection.keys.has(rowKey(row))}
                  label={selection.label(row)}
                  rowKey={rowKey(row)}
                  onToggle={selection.onToggle}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };

interface HeaderCellProps<Row> {
  readonly column: VirtualColumn<Row>;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function HeaderCell<Row>({ column: { header, numeric, sort: by }, sort, onSort }: HeaderCellProps<Row>): ReactNode {
  if (by === undefined) {
    return (
      <span role="columnheader" data-numeric={numeric}>
        {header}
      </span>
    );
  }
  const direction = sort === by ? "ascending" : sort === `-${by}` ? "descending" : "none";
  return (
    <span role="columnheader" data-numeric={numeric} aria-sort={direction}>
      <UnstyledButton
        className={classes.sort}
        onClick={() => {
          onSort(direction === "descending" ? by : `-${by}`);
        }}
      >
        {header}
        <span aria-hidden>{direction === "none" ? "" : direction === "ascending" ? " ↑" : " ↓"}</span>
      </UnstyledButton>
    </span>
  );
}

interface DrawnRowProps {
  readonly row: unknown;
  readonly rowKey: string;
  readonly index: number;
  readonly start: number;
  readonly columns: readonly VirtualColumn<unknown>[];
  readonly isChosen: boolean;
  readonly label: string;
  readonly onToggle: (key: string) => void;
}

/** Renders again when its own row changes, but not when other rows come into view. */
const DrawnRow = memo(function DrawnRow(props: DrawnRowProps): ReactNode {
  const { row, rowKey, index, start, columns, isChosen, label, onToggle } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-chosen={isChosen}
      className={classes.row}
      style={{ transform: `translateY(${start.toString()}px)` }}
    >
      <span role="cell" className={classes.box}>
        <input
          type="checkbox"
          aria-label={`Choose ${label}`}
          checked={isChosen}
          onChange={() => {
            onToggle(rowKey);
          }}
        />
      </span>
      {columns.map(({ id, cell, numeric }, position) => (
        <span key={id} role={position === 0 ? "rowheader" : "cell"} data-numeric={numeric}>
          {cell(row)}
        </span>
      ))}
    </div>
  );
});
