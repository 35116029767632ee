package dev.equipoise.protocol;

/**
 * Message from the service to an agent. The service may be one minor version newer than the agent,
 * so the agent ignores unknown fields.
 */
public sealed interface ServiceMessage
        permits Admission, HeartbeatReply, Assignment, RecordedOrder, ReportReply {}
