package dev.equipoise.protocol;

/**
 * A body that agents alone send, and no people. Who sends it may be a minor version newer than who
 * reads it: fields that the service does not know are passed over.
 */
public sealed interface AgentMessage permits Registration, Heartbeat, NextCredential, Report {}
