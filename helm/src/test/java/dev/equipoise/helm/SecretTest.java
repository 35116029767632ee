package dev.equipoise.helm;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SecretTest {

    private static final String FILES = "/run/secrets/equipoise/";
    private static final int TOKEN_BYTES = 32;

    @EveryRendering
    void secretValuesAppearInSecretsOnly(Rendering rendering) {
        List<String> secrets =
                rendering.all(Secret.class).stream()
                        .flatMap(secret -> secret.getData().values().stream())
                        .flatMap(value -> List.of(value, decoded(value)).stream())
                        .toList();

        assertThat(rendering.manifests())
                .filteredOn(it -> !it.kind().equals("Secret"))
                .extracting(it -> it.tree().toString())
                .allMatch(text -> secrets.stream().noneMatch(text::contains));
    }

    @EveryRendering
    void podsReadSecretsFromFilesOnly(Rendering rendering) {
        assertThat(rendering.pods())
                .flatExtracting(PodTemplate::containers)
                .allSatisfy(container -> {
                    assertThat(container.getEnvFrom()).allMatch(it -> it.getSecretRef() == null);
                    assertThat(container.getEnv())
                            .filteredOn(it -> it.getValueFrom() != null)
                            .allMatch(it -> it.getValueFrom().getSecretKeyRef() == null);
                });
    }

    /** The database outlives the release and depends on these secrets. */
    @EveryRendering
    void secretsOutliveTheRelease(Rendering rendering) {
        assertThat(rendering.all(Secret.class))
                .extracting(it -> it.getMetadata().getAnnotations())
                .allMatch(it -> "keep".equals(it.get("helm.sh/resource-policy")));
    }

    @Test
    void generatedTokensAreWellFormedAndRandom() {
        Map<String, String> tokens = tokens(Rendering.of("{}"));

        assertThat(tokens).containsOnlyKeys("administrator-token", "join-token");
        assertThat(tokens.get("administrator-token")).startsWith("eqp_");
        assertThat(tokens.get("join-token")).startsWith("eqj_");
        assertThat(tokens.values())
                .allSatisfy(token ->
                        assertThat(
                                        Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(bytes(token)))
                                .isEqualTo(token.substring("eqp_".length())))
                .doesNotContainAnyElementsOf(tokens(Rendering.of("{}")).values());
    }

    private static byte[] bytes(String token) {
        byte[] bytes = Base64.getUrlDecoder().decode(token.substring("eqp_".length()));
        assertThat(bytes).hasSize(TOKEN_BYTES);
        return bytes;
    }

    @Test
    void serviceMountsSecretsUnderTheNamesOfItsSettings() {
        assertThat(SecretFile.all(Rendering.named("bucket").pod("service")))
                .containsExactlyInAnyOrder(
                        new SecretFile(
                                "lab-tokens",
                                "administrator-token",
                                FILES + "equipoise.account.administrator-token"),
                        new SecretFile(
                                "lab-tokens", "join-token", FILES + "equipoise.account.join-token"),
                        new SecretFile(
                                "lab-database",
                                "lab-password",
                                FILES + "spring.datasource.password"),
                        new SecretFile(
                                "lab-bucket",
                                "secret-key",
                                FILES + "equipoise.checkpoint.s3.secret-key"),
                        new SecretFile(
                                "lab-provider",
                                "client-secret",
                                FILES + "equipoise.oidc.client-secret"));
    }

    @Test
    void agentsMountTheJoinTokenOnly() {
        assertThat(SecretFile.all(Rendering.of("{}").pod("agents")))
                .containsExactly(
                        new SecretFile("lab-equipoise-tokens", "join-token", FILES + "join-token"));
    }

    @Test
    void changedSecretOrSettingChangesThePodAnnotations() {
        String before = annotations("{}");

        assertThat(annotations("{}")).as("other tokens").isNotEqualTo(before);
        assertThat(annotations(withSecrets("a"))).isEqualTo(annotations(withSecrets("a")));
        assertThat(annotations(withSecrets("b")))
                .as("another setting")
                .isNotEqualTo(annotations(withSecrets("a")));
    }

    @Test
    void existingSecretsAreKept() {
        Rendering again = Rendering.of("{}", secret("lab-equipoise-tokens", "administrator-token"));

        assertThat(tokens(again)).containsEntry("administrator-token", "known");
        assertThat(tokens(again).get("join-token")).startsWith("eqj_");
    }

    @Test
    void changedExternalSecretChangesThePodAnnotations() {
        assertThat(
                        Stream.of("lab-tokens", "lab-database", "lab-bucket", "lab-provider")
                                .map(name -> annotations(bucket(), secret(name, "key")))
                                .distinct())
                .hasSize(4)
                .doesNotContain(annotations(bucket(), Map.of()));
        assertThat(annotations(withSecrets("a"), secret("lab-ca", "ca.crt")))
                .isNotEqualTo(annotations(withSecrets("a")));
    }

    private static Map<String, String> secret(String name, String key) {
        return Map.of(
                name,
                """
                {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "%s"}, "data": {"%s": "a25vd24="}}
                """
                        .formatted(name, key));
    }

    private static String bucket() {
        return Rendering.named("bucket").values().toString();
    }

    private static String withSecrets(String user) {
        return """
        tokens: {existingSecret: lab-tokens}
        database: {host: db, user: %s, existingSecret: {name: lab-database}, caSecret: {name: lab-ca}}
        postgresql: {bundled: false}
        """
                .formatted(user);
    }

    private static String annotations(String values) {
        return annotations(values, Map.of());
    }

    private static String annotations(String values, Map<String, String> secrets) {
        return Rendering.of(values, secrets).pod("service").metadata().getAnnotations().toString();
    }

    private static Map<String, String> tokens(Rendering rendering) {
        return rendering
                .manifest("Secret", "lab-equipoise-tokens")
                .as(Secret.class)
                .orElseThrow()
                .getData()
                .entrySet()
                .stream()
                .collect(toMap(Map.Entry::getKey, it -> decoded(it.getValue())));
    }

    private static String decoded(String value) {
        return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
    }
}
