package dev.equipoise.app.observability;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Destination of traces, under Spring Boot's property names.
 *
 * @param endpoint address to which traces are sent, for example {@code
 *     http://collector:4318/v1/traces} (default: none, which disables traces)
 * @param headers headers of each export, which may be secrets (default: none)
 */
@ConfigurationProperties("management.opentelemetry.tracing.export.otlp")
record TraceSettings(@DefaultValue("") String endpoint, @DefaultValue Map<String, String> headers) {

    TraceSettings {
        headers = Map.copyOf(headers);
    }

    /** Omits the headers, which must not reach a log. */
    @Override
    public String toString() {
        return "TraceSettings[endpoint=%s]".formatted(endpoint);
    }
}
