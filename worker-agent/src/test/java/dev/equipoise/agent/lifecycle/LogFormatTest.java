package dev.equipoise.agent.lifecycle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogFormatTest {

    private final LoggerContext context = new LoggerContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    /** Returns a log line of the agent. */
    private String line(String format) throws Exception {
        if (!format.isEmpty()) {
            context.putProperty("EQUIPOISE_LOG", format);
        }
        var reader = new JoranConfigurator();
        reader.setContext(context);
        reader.doConfigure(requireNonNull(getClass().getResource("/logback.xml")));
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        var console =
                (ConsoleAppender<ILoggingEvent>) requireNonNull(root.iteratorForAppenders().next());
        var event = new LoggingEvent("", root, Level.INFO, "leased {}", null, new Object[] {7});
        event.setMDCPropertyMap(Map.of("run", "r", "generation", "2"));
        return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void textFormatIsForPeople() throws Exception {
        assertThat(line("")).endsWith("INFO  leased 7\n");
        assertThat(line("text")).endsWith("INFO  leased 7\n");
    }

    @Test
    void jsonFormatHasTheRunAsAField() throws Exception {
        JsonNode line = JsonMapper.shared().readTree(line("json"));

        assertThat(line.path("message").asString()).isEqualTo("leased 7");
        assertThat(line.path("log.level").asString()).isEqualTo("INFO");
        assertThat(line.path("run").asString()).isEqualTo("r");
        assertThat(line.path("generation").asString()).isEqualTo("2");
        assertThat(line.has("@timestamp")).isTrue();
    }
}
