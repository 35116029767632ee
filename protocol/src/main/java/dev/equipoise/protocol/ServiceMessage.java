package dev.equipoise.protocol;

/**
 * What the service answers to agents alone. It may be a minor version newer than who reads it:
 * fields that an agent does not know are passed over.
 */
public sealed interface ServiceMessage
        permits Admission, HeartbeatReply, Assignment, RecordedOrder, ReportReply {}
