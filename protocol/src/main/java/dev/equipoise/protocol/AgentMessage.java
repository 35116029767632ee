package dev.equipoise.protocol;

/**
 * Message from an agent to the service. The sender may be one minor version newer than the reader,
 * so the service ignores unknown fields.
 */
public sealed interface AgentMessage permits Registration, Heartbeat, NextCredential, Report {}
