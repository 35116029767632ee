import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

import { ServiceProblem } from "@/api/problem";
import { DocAnchor } from "@/shared/doc-link";
import { QueryView } from "@/shared/query-view";

import { DocText } from "./doc-text";
import classes from "./docs-page.module.css";
import { textOf } from "./pages";

const INDEX = "index";

/** A page of the documentation of this version. */
export function DocsPage(): ReactNode {
  const { _splat = "" } = useParams({ from: "/docs/$" });
  const page = _splat === "" ? INDEX : _splat;
  const { hash } = useLocation();
  const query = useQuery({
    queryKey: ["docs", page],
    queryFn: async () => {
      const text = await textOf(page);
      if (text === null) {
        throw new ServiceProblem(404, `The documentation has no page ${page}.`);
      }
      return text;
    },
    staleTime: Infinity,
    retry: false,
  });
  const { data } = query;

  useEffect(() => {
    if (data !== undefined && hash !== "") {
      document.getElementById(hash)?.scrollIntoView();
    }
  }, [data, hash]);

  return (
    <Stack className={classes.page} gap="xs">
      {page !== INDEX && <DocAnchor to={{ page: INDEX }}>All pages</DocAnchor>}
      <QueryView query={query} what="page of the documentation">
        {(text) => <DocText page={page} text={text} />}
      </QueryView>
    </Stack>
  );
}
