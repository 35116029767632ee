import type { components } from "./schema";

export type Schemas = components["schemas"];

export type Caller = Schemas["Caller"];
export type ExperimentSummary = Schemas["ExperimentSummary"];
export type Problem = Schemas["Problem"];
export type Project = Schemas["Project"];
export type Role = NonNullable<Schemas["Caller"]["everywhere"]>;
export type Run = Schemas["Run"];
export type RunState = Schemas["RunSummary"]["state"];
export type RunSummary = Schemas["RunSummary"];
export type Token = Schemas["Token"];
export type User = Schemas["User"];
export type Worker = Schemas["Worker"];
