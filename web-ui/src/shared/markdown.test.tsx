import { MantineProvider } from "@mantine/core";
import { render, screen, type RenderResult } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { Markdown } from "./markdown";

describe("Markdown", () => {
  function show(text: string): RenderResult {
    return render(
      <MantineProvider env="test">
        <Markdown text={text} />
      </MantineProvider>,
    );
  }

  it("has headings below those of sections, lists and tables", () => {
    show("# Why\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |");

    expect(screen.getByRole("heading", { name: "Why", level: 3 })).toBeTruthy();
    expect(screen.getAllByRole("listitem")).toHaveLength(2);
    expect(screen.getByRole("cell", { name: "2" })).toBeTruthy();
  });

  it("shows HTML as text", () => {
    const { container } = show('<script>alert(1)</script>\n\nA <img src="x" onerror="alert(1)"> B');

    expect(container.querySelector("script, img")).toBeNull();
    expect(container.textContent).toContain("<script>alert(1)</script>");
  });

  it("links to pages without telling them where the reader comes from", () => {
    show("[paper](https://example.org/p)");

    const link = screen.getByRole("link", { name: "paper" });
    expect(link.getAttribute("href")).toBe("https://example.org/p");
    expect(link.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("has no links that run scripts", () => {
    show("[a](javascript:alert(1)) [b](data:text/html,x) [c](JaVaScRiPt:alert(1)) [d](vbscript:x)");

    expect(screen.queryByRole("link")).toBeNull();
  });

  it("loads no images", () => {
    const { container } = show("![plot](https://example.org/plot.png)");

    expect(container.querySelector("img")).toBeNull();
    expect(screen.getByRole("link", { name: "plot" }).getAttribute("href")).toBe("https://example.org/plot.png");
  });
});
