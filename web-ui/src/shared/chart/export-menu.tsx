import { ActionIcon, Menu } from "@mantine/core";
import type { ReactNode } from "react";

import { save } from "@/api/download";

interface ExportMenuProps {
  /** What the files are called, without their ending. */
  readonly name: string;
  readonly png: () => Promise<Blob | null>;
  readonly svg: () => string;
  readonly csv: () => string;
}

export function ExportMenu({ name, png, svg, csv }: ExportMenuProps): ReactNode {
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Save “${name}”`}>
          <svg
            viewBox="0 0 16 16"
            width={14}
            height={14}
            aria-hidden
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
          >
            <path d="M8 1.5v8m-3-3 3 3 3-3M2 11v3h12v-3" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          onClick={() => {
            void png().then((picture) => {
              if (picture) {
                save(picture, `${file}.png`);
              }
            });
          }}
        >
          PNG
        </Menu.Item>
        <Menu.Item
          onClick={() => {
            save(new Blob([svg()], { type: "image/svg+xml" }), `${file}.svg`);
          }}
        >
          SVG
        </Menu.Item>
        <Menu.Item
          onClick={() => {
            save(new Blob([csv()], { type: "text/csv" }), `${file}.csv`);
          }}
        >
          CSV
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
