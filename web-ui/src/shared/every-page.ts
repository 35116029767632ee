interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** All items of a list that the service tells page by page. */
export async function everyPage<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}
