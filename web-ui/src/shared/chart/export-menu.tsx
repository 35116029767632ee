import { ActionIcon, Menu, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { save } from "@/api/download";
import { toCsv, type Row } from "@/shared/csv";

interface ExportMenuProps {
  /** Name of the files, without extension. */
  readonly name: string;
  /** A table without a chart has no picture. */
  readonly picture?: { readonly png: () => Promise<Blob>; readonly svg: () => string };
  readonly table: () => readonly Row[];
}

export function ExportMenu({ name, picture, table }: ExportMenuProps): ReactNode {
  const file = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const saving = useMutation({
    mutationFn: async (png: () => Promise<Blob>) => {
      save(await png(), `${file}.png`);
    },
  });
  return (
    <>
      {saving.error && (
        <Text size="xs" c="red" role="alert">
          The PNG could not be made: {saving.error.message}
        </Text>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="sm" variant="subtle" color="gray" title="Save" aria-label={`Save “${name}”`}>
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
          {picture && (
            <>
              <Menu.Item
                onClick={() => {
                  saving.mutate(picture.png);
                }}
              >
                PNG
              </Menu.Item>
              <Menu.Item
                onClick={() => {
                  save(new Blob([picture.svg()], { type: "image/svg+xml" }), `${file}.svg`);
                }}
              >
                SVG
              </Menu.Item>
            </>
          )}
          <Menu.Item
            onClick={() => {
              save(new Blob([toCsv(table())], { type: "text/csv" }), `${file}.csv`);
            }}
          >
            CSV
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
