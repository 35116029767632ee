import { Button, Group, Menu, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState, type ReactNode, type SubmitEvent } from "react";

import { storageKey } from "@/api/base";

import type { RunsSearch } from "./runs-search";

interface SavedView {
  readonly name: string;
  readonly search: RunsSearch;
}

interface SavedViewsProps {
  readonly view: RunsSearch;
  readonly onOpen: (search: Record<string, unknown>) => void;
}

/** Named views, stored in this browser; their addresses can be shared. */
export function SavedViews({ view, onOpen }: SavedViewsProps): ReactNode {
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({ key: storageKey("views"), defaultValue: [] });
  const [name, setName] = useState("");

  function save(event: SubmitEvent): void {
    event.preventDefault();
    const kept = views.filter((each) => each.name !== name.trim());
    setViews([...kept, { name: name.trim(), search: view }]);
    setName("");
  }

  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && (
          <Text size="xs" c="dimmed" p="xs" maw={220}>
            There are no saved views yet. The address also contains the whole view.
          </Text>
        )}
        {views.map((each) => (
          <Group key={each.name} gap={0} wrap="nowrap">
            <Menu.Item
              onClick={() => {
                onOpen({ ...each.search });
              }}
            >
              {each.name}
            </Menu.Item>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`Delete the view ${each.name}`}
              onClick={() => {
                setViews(views.filter((other) => other !== each));
              }}
            >
              ×
            </Button>
          </Group>
        ))}
        <Menu.Divider />
        <form onSubmit={save}>
          <Group gap="xs" p="xs" wrap="nowrap">
            <TextInput
              size="xs"
              aria-label="Name of this view"
              placeholder="Save this view as"
              required
              value={name}
              onChange={(event) => {
                setName(event.currentTarget.value);
              }}
            />
            <Button size="xs" type="submit">
              Save
            </Button>
          </Group>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
