import type { Api } from "./client";

/** Saves a response as a file, under the name that the service gives or else under this one. */
export async function download(api: Api, path: string, name: string, init?: RequestInit): Promise<void> {
  const response = await api.request(path, init);
  const given = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  save(await response.blob(), given ?? name);
}

/** Makes the browser save a file. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the URL by then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}
