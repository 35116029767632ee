package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.link.LinkProfiler;
import dev.equipoise.agent.profile.Profiler;
import dev.equipoise.agent.simulation.Simulation;
import dev.equipoise.agent.training.TrainingAssignmentRunner;

/** Runners of an agent, one for each kind of assignment. */
record AssignmentRunners(
        Profiler profiler,
        LinkProfiler linkProfiler,
        TrainingAssignmentRunner training,
        Simulation simulation) {}
