package dev.equipoise.app.configuration;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * Notes of a run or an experiment.
 *
 * @param text Markdown
 * @param author name of the user or service account that wrote this text
 * @param writtenAt time of the last change
 */
@Schema(name = "Notes")
public record Notes(String text, String author, Instant writtenAt) {}
