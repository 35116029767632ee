package dev.equipoise.app;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.page.GeneratedPart;
import dev.equipoise.testing.page.SettingRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;

/** Compares the settings of docs/configuration.md with the configuration metadata of the build. */
class SettingsPageTest {

    private static final Path METADATA =
            Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");

    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Path DEFAULTS = Path.of("src", "main", "resources", "application.yaml");

    /** A setting that a source reads by its name, with its default if the source has one. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\$\\{(?<name>equipoise\\.[a-z0-9.-]+)(?::(?<value>[^}]*))?}");

    private static final Pattern RANGE =
            Pattern.compile("(?i)\\b(at\\s+least|at\\s+most|from \\S+ to|positive)\\b");

    private static final List<Feature> FEATURES =
            List.of(
                    new Feature(
                            "Data and database",
                            "[Storage](operate.md#storage) tells what grows, and [the database fails](operate.md#the-database-fails) what happens then.",
                            "equipoise.data",
                            "equipoise.database",
                            "equipoise.disk"),
                    new Feature(
                            "Users and sign-in",
                            "[Users, projects and tokens](operate.md#users-projects-and-tokens) has examples.",
                            "equipoise.account",
                            "equipoise.session",
                            "equipoise.oidc"),
                    new Feature(
                            "Limits of requests",
                            "[The HTTP API](api.md#rate-limits) tells what a caller sees at a limit.",
                            "equipoise.rate",
                            "equipoise.body",
                            "equipoise.streams"),
                    new Feature(
                            "Workers and profiles",
                            "[A worker is lost](reliability.md#a-worker-is-lost) and [profiles](profiles.md) use them.",
                            "equipoise.worker",
                            "equipoise.profile"),
                    new Feature(
                            "Queue and recovery",
                            "[The queue](queue.md) and [reliability](reliability.md#retries) use them.",
                            "equipoise.schedule",
                            "equipoise.recovery"),
                    new Feature(
                            "Checkpoints and models",
                            "[Where they are kept](reliability.md#where-they-are-kept) has an example for S3.",
                            "equipoise.checkpoint",
                            "equipoise.model"),
                    new Feature(
                            "Webhooks",
                            "[Webhooks](webhooks.md) describes deliveries.",
                            "equipoise.webhook"),
                    new Feature(
                            "Metrics and traces",
                            "[Observability](observability.md) describes both.",
                            "equipoise.telemetry",
                            "management.opentelemetry"));

    /** Settings of a feature, with the sentence that links to the page about it. */
    private record Feature(String title, String sentence, List<String> prefixes) {

        Feature(String title, String sentence, String... prefixes) {
            this(title, sentence, List.of(prefixes));
        }

        boolean has(Property property) {
            return prefixes.stream()
                    .anyMatch(it -> property.name.equals(it) || property.name.startsWith(it + "."));
        }
    }

    /**
     * Setting in the metadata.
     *
     * @param defaultValue empty if the metadata has none
     */
    private record Property(String name, Class<?> type, String description, String defaultValue) {

        boolean hasRange() {
            return type == Duration.class
                    || type == DataSize.class
                    || Number.class.isAssignableFrom(type);
        }
    }

    private static List<Property> properties() throws IOException {
        return JsonMapper.builder()
                .build()
                .readTree(Files.readString(METADATA))
                .path("properties")
                .valueStream()
                .map(it ->
                        new Property(
                                it.path("name").asString(""),
                                ClassUtils.resolveClassName(
                                        it.path("type").asString("").replaceFirst("<.*", ""), null),
                                it.path("description").asString(""),
                                it.path("defaultValue").asString("").replace("[]", "")))
                .toList();
    }

    private static Properties defaults() {
        var reader = new YamlPropertiesFactoryBean();
        reader.setResources(new FileSystemResource(DEFAULTS));
        return Objects.requireNonNull(reader.getObject());
    }

    private static SettingRow row(Property property, Properties defaults) {
        String name = property.type == Map.class ? property.name + ".NAME" : property.name;
        String value = defaults.getProperty(property.name, property.defaultValue);
        return SettingRow.of(
                name,
                name.toUpperCase(Locale.ROOT).replace('.', '_').replace("-", ""),
                property.type,
                value.isEmpty() ? "" : "`" + value + "`",
                property.description);
    }

    private static List<SettingRow> rows() throws IOException {
        Properties defaults = defaults();
        return properties().stream().map(it -> row(it, defaults)).toList();
    }

    @Test
    void pageHasAllSettings() throws IOException {
        List<Property> properties = properties();
        Properties defaults = defaults();

        GeneratedPart.of("docs/configuration.md", "settings of the service")
                .check(
                        FEATURES.stream()
                                .map(it -> section(it, properties, defaults))
                                .collect(joining("", "", "\n")));
    }

    private static String section(Feature feature, List<Property> properties, Properties defaults) {
        List<SettingRow> rows =
                properties.stream().filter(feature::has).map(it -> row(it, defaults)).toList();
        return "\n### %s\n\n%s\n\n%s"
                .formatted(feature.title, feature.sentence, SettingRow.table("setting", rows));
    }

    @Test
    void everySettingBelongsToOneFeature() throws IOException {
        assertThat(properties())
                .hasSizeGreaterThan(40)
                .allSatisfy(property ->
                        assertThat(FEATURES)
                                .as("features of %s; add its prefix to one", property.name)
                                .filteredOn(it -> it.has(property))
                                .hasSize(1));
    }

    @Test
    void everySettingHasDescriptionUnitAndDefault() throws IOException {
        assertThat(rows().stream().flatMap(it -> it.faults().stream())).isEmpty();
    }

    @Test
    void everyQuantityHasARange() throws IOException {
        assertThat(properties())
                .filteredOn(Property::hasRange)
                .isNotEmpty()
                .allSatisfy(it -> assertThat(it.description).containsPattern(RANGE));
    }

    @Test
    void settingsThatSourcesReadByNameAreInTheMetadataWithTheirDefaults() throws IOException {
        Map<String, String> known =
                properties().stream().collect(toMap(Property::name, Property::defaultValue));
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<MatchResult> read =
                    files.filter(it -> it.toString().endsWith(".java"))
                            .flatMap(SettingsPageTest::placeholders)
                            .toList();
            assertThat(read)
                    .isNotEmpty()
                    .allSatisfy(it -> {
                        assertThat(known).containsKey(it.group("name"));
                        if (it.group("value") != null) {
                            assertThat(known).containsEntry(it.group("name"), it.group("value"));
                        }
                    });
        }
        assertThat(defaults().keySet())
                .filteredOn(it -> it.toString().startsWith("equipoise."))
                .isNotEmpty()
                .allSatisfy(it -> assertThat(known).containsKey(it.toString()));
    }

    private static Stream<MatchResult> placeholders(Path file) {
        try {
            return PLACEHOLDER.matcher(Files.readString(file)).results();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void everyEnvironmentVariableSetsItsSetting() throws IOException {
        assertThat(rows())
                .allSatisfy(row -> {
                    var environment =
                            new SystemEnvironmentPropertySource(
                                    StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                    Map.of(row.variable(), "x"));
                    var name = ConfigurationPropertyName.of(row.name().toLowerCase(Locale.ROOT));

                    assertThat(ConfigurationPropertySources.from(environment))
                            .anySatisfy(it ->
                                    assertThat(it.getConfigurationProperty(name)).isNotNull());
                });
    }
}
