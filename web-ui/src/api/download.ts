import type { Api } from "./client";

/** Saves what the service answers under the name that it gives, or else under this one. */
export async function download(api: Api, path: string, name: string, init?: RequestInit): Promise<void> {
  const response = await api.request(path, init);
  const given = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  save(await response.blob(), given ?? name);
}

/** Hands a file to the browser, to keep. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the address by then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}
