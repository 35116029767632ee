package dev.equipoise.helm;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DashboardTest {

    /** Meters of HikariCP for the service's database connections. */
    private static final Set<String> POOL =
            Set.of(
                    "hikaricp_connections_active",
                    "hikaricp_connections_pending",
                    "hikaricp_connections_max");

    private static final Pattern METRIC =
            Pattern.compile("\\b((?:equipoise|hikaricp)_[a-z_]+?)(_sum|_count)?\\{");
    private static final String NAMESPACE = "{namespace=\"$namespace\"";
    private static final int COLUMNS = 24;

    private final JsonNode dashboard =
            JsonMapper.shared().readTree(Chart.FOLDER.resolve("dashboards/equipoise.json"));

    @Test
    void panelsShowExactlyTheRegisteredMeters() {
        assertThat(
                        expressions()
                                .flatMap(it -> METRIC.matcher(it).results())
                                .map((MatchResult it) -> it.group(1))
                                .collect(toSet()))
                .isEqualTo(
                        Stream.of(RegisteredMeters.all(), POOL)
                                .flatMap(Set::stream)
                                .collect(toSet()));
    }

    @Test
    void panelsUseTheSelectedNamespaceAndDataSource() {
        assertThat(dashboard.at("/templating/list").valueStream().map(it -> it.path("name")))
                .extracting(JsonNode::asString)
                .containsExactly("datasource", "namespace");
        assertThat(expressions())
                .allMatch(it -> it.contains(NAMESPACE) && !it.replace(NAMESPACE, "").contains("{"));
        assertThat(dashboard.path("panels").findValues("datasource"))
                .isNotEmpty()
                .allMatch(it -> it.path("uid").asString().equals("${datasource}"));
    }

    private Stream<String> expressions() {
        return dashboard.findValues("expr").stream().map(JsonNode::asString);
    }

    @Test
    void panelsHaveDistinctIdsAndPositions() {
        List<JsonNode> panels = dashboard.path("panels").valueStream().toList();

        assertThat(panels).extracting(it -> it.path("id").asInt()).doesNotHaveDuplicates();
        assertThat(panels)
                .extracting(
                        it -> Map.entry(it.at("/gridPos/x").asInt(), it.at("/gridPos/y").asInt()))
                .doesNotHaveDuplicates();
        assertThat(panels)
                .allMatch(
                        it -> it.at("/gridPos/x").asInt() + it.at("/gridPos/w").asInt() <= COLUMNS);
        assertThat(panels).allMatch(it -> it.hasNonNull("title") && it.hasNonNull("description"));
    }

    @Test
    void configMapIsLabeledForGrafanaIfEnabled() {
        Manifest map = Rendering.named("lab").manifest("ConfigMap", "lab-equipoise-dashboard");

        assertThat(map.metadata().getLabels()).containsEntry("grafana_dashboard", "1");
        assertThat(map.as(ConfigMap.class))
                .hasValueSatisfying(it ->
                        assertThat(JsonMapper.shared().readTree(it.getData().get("equipoise.json")))
                                .isEqualTo(dashboard));
        assertThat(Rendering.of("{}").names("ConfigMap")).containsExactly("lab-equipoise-service");
    }
}
