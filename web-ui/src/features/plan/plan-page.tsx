import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useRef, type ReactNode } from "react";
import { flushSync } from "react-dom";

import { DocAnchor, type DocLink } from "@/shared/doc-link";
import { Notice } from "@/shared/notice";
import { PageTitle } from "@/shared/page-title";
import { useCaller } from "@/shared/rights";
import { Section } from "@/shared/section";

import { docsOf } from "./doc-links";
import { Editor, type EditorHandle } from "./editor";
import classes from "./plan-page.module.css";
import type { DocAddress } from "./key-card";
import { sourceOf, type PlanSearch } from "./plan-search";
import { ProblemList } from "./problem-list";
import { Ranking } from "./ranking";
import { Rejection } from "./rejection";
import { SKELETON } from "./skeleton";
import { SourceBar } from "./source-bar";
import { SubmitForm } from "./submit-form";
import { useCheck } from "./use-check";
import { useDraft } from "./use-draft";
import { usePlan } from "./use-plan";
import { useExperiment, useSchema, useSource } from "./use-sources";

/** Takes a definition from its text to its runs: written or loaded, checked, planned, queued. */
export function PlanPage(): ReactNode {
  const search = useSearch({ from: "/plan" });
  const navigate = useNavigate({ from: "/plan" });
  const { data: caller } = useCaller();
  const source = useSource(search);
  const draft = useDraft(caller?.name ?? "", source.loaded);
  const { text, tag, change, settle, restart } = draft;
  const check = useCheck(text);
  const planning = usePlan(text, search.target, change);
  const schema = useSchema();
  const router = useRouter();
  const { data: experiment } = useExperiment(search.experiment);
  const editor = useRef<EditorHandle>(null);
  const verdict = useRef<HTMLDivElement>(null);

  const alter = useCallback(
    (altered: Partial<PlanSearch>) => void navigate({ search: (before) => ({ ...before, ...altered }), replace: true }),
    [navigate],
  );

  function begin(chosen: PlanSearch): void {
    void navigate({
      search: ({ project, target, order }) => ({ project, target, order, ...chosen }),
    });
  }

  function addressOf({ page, anchor }: DocLink): DocAddress {
    const place = { to: "/docs/$", params: { _splat: page }, ...(anchor !== undefined && { hash: anchor }) } as const;
    return { href: router.buildLocation(place).publicHref, go: () => void router.navigate(place) };
  }

  return (
    <Stack className={classes.page}>
      <PageTitle>Plan</PageTitle>
      <Section title="Definition">
        <SourceBar
          search={search}
          onSource={(chosen) => {
            restart(sourceOf(chosen) ?? "");
            begin(chosen);
          }}
          onFile={change}
        />
        {source.error && (
          <Notice title="The definition could not be read" error={source.error} onRetry={source.readAnew} />
        )}
        <div className={classes.editor}>
          <Editor
            ref={editor}
            label="Definition, as YAML or JSON"
            text={text}
            problems={check.problems}
            schema={schema}
            example={SKELETON}
            addressOf={addressOf}
            onChange={change}
            onLeave={() => {
              verdict.current?.focus();
            }}
          />
        </div>
        {text.trim() === "" && (
          <Group px="md" pt="sm" gap="sm">
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                // This button disappears, so the editor gets the focus, once it has the text.
                flushSync(() => {
                  change(SKELETON);
                });
                editor.current?.focus();
              }}
            >
              Start from this
            </Button>
            <Text size="sm" c="dimmed">
              The text above is an example; it runs without files.{" "}
              <DocAnchor to={docsOf("")}>How to write one</DocAnchor>
            </Text>
          </Group>
        )}
        <ProblemList
          ref={verdict}
          check={check}
          text={text}
          onChoose={(position) => {
            editor.current?.goTo(position);
          }}
        />
        {check.error && <Notice title="The definition could not be checked" error={check.error} />}
      </Section>
      <Section title="Configurations">
        <Group px="md" pb="sm" gap="sm" align="flex-end">
          <NumberInput
            key={search.target ?? "none"}
            size="xs"
            w="13rem"
            label="Target, a test accuracy in percent"
            placeholder="From the definition"
            min={0}
            max={100}
            defaultValue={search.target === undefined ? "" : Number((100 * search.target).toFixed(2))}
            onBlur={({ currentTarget: { value } }) => {
              const percent = Number.parseFloat(value);
              alter({ target: Number.isNaN(percent) ? undefined : percent / 100 });
            }}
          />
          <Button
            size="xs"
            variant="default"
            loading={planning.isPending}
            disabled={!check.isReadable || check.problems.length > 0}
            onClick={planning.ask}
          >
            Predict and rank
          </Button>
        </Group>
        {planning.error && <Rejection title="The plan failed" error={planning.error} />}
        {planning.plan === undefined ? (
          <Text size="sm" c="dimmed" px="md" pb="md">
            A plan predicts the epoch time of the definition and of alternatives, without running them.
          </Text>
        ) : (
          <Ranking
            plan={planning.plan}
            order={search.order ?? "rank"}
            onOrder={(order) => {
              alter({ order: order === "rank" ? undefined : order });
            }}
            chosen={planning.chosen}
            onChoose={planning.choose}
          />
        )}
      </Section>
      <Section title="Submit">
        <SubmitForm
          text={text}
          check={check}
          experiment={experiment}
          onChange={change}
          tag={tag}
          onSaved={(saved, now) => {
            settle(sourceOf({ experiment: saved }) ?? "", now);
            begin({ experiment: saved });
          }}
        />
      </Section>
    </Stack>
  );
}
