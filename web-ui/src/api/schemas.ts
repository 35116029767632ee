import type { components } from "./schema";

type Schemas = components["schemas"];

export type Caller = Schemas["Caller"];
export type ExperimentSummary = Schemas["ExperimentSummary"];
export type Problem = Schemas["Problem"];
export type Project = Schemas["Project"];
export type Run = Schemas["Run"];
export type RunSummary = Schemas["RunSummary"];
export type Worker = Schemas["Worker"];
