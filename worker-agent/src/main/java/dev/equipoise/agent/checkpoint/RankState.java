package dev.equipoise.agent.checkpoint;

/**
 * What one rank has for itself after an epoch; all else is the same on every rank.
 *
 * @param steps that its optimizer has made
 * @param dropout what it draws next
 * @param trainedNanos of training since the run began
 */
public record RankState(long steps, long dropout, long trainedNanos) {}
