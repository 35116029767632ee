package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategy;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServiceTest {

    private static final int SHUTDOWN_SECONDS = 30;

    private final Rendering own = Rendering.of("{}");
    private final Rendering lab = Rendering.named("lab");
    private final Rendering bucket = Rendering.named("bucket");

    @Test
    void portsMatchTheImage() {
        assertThat(own.pod("service").container().getPorts())
                .extracting(ContainerPort::getName, ContainerPort::getContainerPort)
                .containsExactly(tuple("http", 8080), tuple("management", 8081));
    }

    @Test
    void probesRequestTheManagementPort() {
        assertThat(own.pod("service").probes())
                .extracting(probe -> probe.getHttpGet().getPath())
                .containsExactly(
                        "/actuator/health/liveness",
                        "/actuator/health/liveness",
                        "/actuator/health/readiness");
        assertThat(own.pod("service").probes())
                .allMatch(it -> "management".equals(it.getHttpGet().getPort().getStrVal()));
    }

    /** Requests routed to the instance in the meantime still get answers. */
    @EveryRendering
    void preStopDelayPrecedesTheShutdown(Rendering rendering) {
        PodTemplate pod = rendering.pod("service");
        long withdrawn = pod.container().getLifecycle().getPreStop().getSleep().getSeconds();

        assertThat(withdrawn).isPositive();
        assertThat(pod.spec().getTerminationGracePeriodSeconds())
                .isGreaterThanOrEqualTo(withdrawn + SHUTDOWN_SECONDS);
    }

    @Test
    void rollingUpdateReplacesOneInstanceAtATimeIfCheckpointsAreShared() {
        assertThat(strategy(lab)).isEqualTo(strategy(bucket));
        assertThat(strategy(lab).getType()).isEqualTo("RollingUpdate");
        assertThat(strategy(lab).getRollingUpdate().getMaxUnavailable().getIntVal()).isZero();
        assertThat(strategy(lab).getRollingUpdate().getMaxSurge().getIntVal()).isOne();
    }

    @Test
    void recreateStopsTheInstanceFirstIfItsVolumeIsExclusive() {
        assertThat(strategy(own).getType()).isEqualTo("Recreate");
    }

    private static DeploymentStrategy strategy(Rendering rendering) {
        return rendering.only(Deployment.class).getSpec().getStrategy();
    }

    @Test
    void disruptionBudgetExistsForSeveralInstancesAndPermitsOneDisruption() {
        assertThat(own.all(PodDisruptionBudget.class)).isEmpty();
        assertThat(lab.only(PodDisruptionBudget.class).getSpec().getMaxUnavailable().getIntVal())
                .isOne();
    }

    @Test
    void instancesShareTheCheckpointClaim() {
        assertThat(own.only(PersistentVolumeClaim.class).getSpec().getAccessModes())
                .containsExactly("ReadWriteOnce");
        assertThat(lab.only(PersistentVolumeClaim.class).getSpec().getAccessModes())
                .containsExactly("ReadWriteMany");
        assertThat(claim(Rendering.named("open"))).isEqualTo("lab-checkpoints");
    }

    private static String claim(Rendering rendering) {
        assertThat(rendering.all(PersistentVolumeClaim.class)).isEmpty();
        return rendering.pod("service").volume("home").getPersistentVolumeClaim().getClaimName();
    }

    @Test
    void instancesHaveTheirOwnFolderWithABucket() {
        assertThat(bucket.all(PersistentVolumeClaim.class)).isEmpty();
        assertThat(bucket.pod("service").volume("home").getEmptyDir()).isNotNull();
    }

    @Test
    void settingsFollowTheValues() {
        assertThat(settings(own))
                .containsOnly(
                        Map.entry(
                                "SPRING_CONFIG_IMPORT",
                                "optional:configtree:/run/secrets/equipoise/"),
                        Map.entry(
                                "SPRING_DATASOURCE_URL",
                                "jdbc:postgresql://lab-equipoise-database:5432/equipoise"),
                        Map.entry("SPRING_DATASOURCE_USERNAME", "equipoise"),
                        Map.entry("EQUIPOISE_CHECKPOINT_STORAGE", "folder"),
                        Map.entry("SERVER_FORWARDHEADERSSTRATEGY", "none"));
        assertThat(settings(lab))
                .containsEntry(
                        "SPRING_DATASOURCE_URL",
                        "jdbc:postgresql://db.lab.example:5432/equipoise"
                                + "?sslmode=verify-full&sslrootcert=/run/secrets/database/ca.crt")
                .containsEntry("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs");
        assertThat(settings(bucket))
                .containsOnly(
                        Map.entry(
                                "SPRING_CONFIG_IMPORT",
                                "optional:configtree:/run/secrets/equipoise/"),
                        Map.entry(
                                "SPRING_DATASOURCE_URL",
                                "jdbc:postgresql://db.lab.example:6432/lab"),
                        Map.entry("SPRING_DATASOURCE_USERNAME", "lab"),
                        Map.entry("EQUIPOISE_CHECKPOINT_STORAGE", "s3"),
                        Map.entry("SERVER_FORWARDHEADERSSTRATEGY", "none"),
                        Map.entry(
                                "EQUIPOISE_CHECKPOINT_S3_ENDPOINT",
                                "https://minio.lab.example:9000"),
                        Map.entry("EQUIPOISE_CHECKPOINT_S3_BUCKET", "lab"),
                        Map.entry("EQUIPOISE_CHECKPOINT_S3_REGION", "us-east-1"),
                        Map.entry("EQUIPOISE_CHECKPOINT_S3_PREFIX", "checkpoints/"),
                        Map.entry("EQUIPOISE_CHECKPOINT_S3_ACCESSKEY", "lab"),
                        Map.entry("EQUIPOISE_CHECKPOINT_S3_PATHSTYLE", "true"),
                        Map.entry("EQUIPOISE_OIDC_ISSUER", "https://id.lab.example"),
                        Map.entry("EQUIPOISE_OIDC_CLIENTID", "equipoise"),
                        Map.entry("EQUIPOISE_OIDC_ADMISSION_NEWCOMERS", "true"),
                        Map.entry("EQUIPOISE_OIDC_ADMISSION_EMAILDOMAINS", "lab.example"),
                        Map.entry("JAVA_TOOL_OPTIONS", "-Xmx640m"),
                        Map.entry(
                                "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT",
                                "http://collector.monitoring:4318/v1/traces"));
    }

    @Test
    void environmentOfTheValuesTakesPrecedence() {
        assertThat(settings(Rendering.of("service: {env: {SPRING_DATASOURCE_USERNAME: other}}")))
                .containsEntry("SPRING_DATASOURCE_USERNAME", "other");
    }

    /** With trust in forwarded headers from others, a client could claim any address. */
    @Test
    void forwardedHeadersAreTrustedFromTheIngressOnly() {
        String ingress = "ingress: {enabled: true, host: lab.example, trustedProxies: 10.4.0.0/16}";

        assertThat(settings(lab))
                .containsEntry("SERVER_FORWARDHEADERSSTRATEGY", "native")
                .doesNotContainKey("SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES");
        assertThat(settings(Rendering.of(ingress)))
                .containsEntry("SERVER_FORWARDHEADERSSTRATEGY", "native")
                .containsEntry("SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "10.4.0.0/16");
        assertThat(settings(own)).containsEntry("SERVER_FORWARDHEADERSSTRATEGY", "none");
    }

    /** The service ignores unknown settings, so a misspelled one would go unnoticed. */
    @EveryRendering
    void settingsExist(Rendering rendering) throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        Stream<String> files =
                SecretFile.all(rendering.pod("service")).stream()
                        .map(it -> Path.of(it.path()).getFileName().toString());

        assertThat(Stream.concat(settings(rendering).keySet().stream(), files))
                .filteredOn(it -> it.toLowerCase(Locale.ROOT).startsWith("equipoise"))
                .isNotEmpty()
                .allMatch(it -> page.contains("| `" + it + "` |"));
    }

    /** Below this path, the ingress must not rewrite requests, and agents must use it as well. */
    @Test
    void pathIsThatOfIngressServiceAndAgents() {
        assertThat(settings(lab)).containsEntry("SERVER_SERVLET_CONTEXTPATH", "/equipoise");
        assertThat(path(lab)).isEqualTo("/equipoise");
        assertThat(lab.pods("agents"))
                .allMatch(it ->
                        it.container()
                                .getArgs()
                                .contains("--service=http://lab-equipoise:8080/equipoise"));
        assertThat(lab.pod("test").container().getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .contains(tuple("SERVICE", "http://lab-equipoise:8080/equipoise"));
        assertThat(path(Rendering.named("encrypted"))).isEqualTo("/");
    }

    private static String path(Rendering rendering) {
        return rendering
                .only(Ingress.class)
                .getSpec()
                .getRules()
                .getFirst()
                .getHttp()
                .getPaths()
                .getFirst()
                .getPath();
    }

    @Test
    void instancesRunOnTheSelectedNodes() {
        PodSpec spec = lab.pod("service").spec();

        assertThat(spec.getNodeSelector()).containsOnly(Map.entry("pool", "services"));
        assertThat(spec.getTolerations())
                .extracting(Toleration::getValue)
                .containsExactly("services");
    }

    private static Map<String, String> settings(Rendering rendering) {
        return rendering
                .manifest("ConfigMap", "lab-equipoise-service")
                .as(ConfigMap.class)
                .orElseThrow()
                .getData();
    }

    @Test
    void imagesHaveTheVersionOfTheChartByDefault() {
        assertThat(image(own))
                .isEqualTo("equipoise-service:" + System.getProperty("equipoise.version"));
        assertThat(image(lab)).startsWith("images.lab.example/ml/equipoise-service:");
        assertThat(image(Rendering.named("open")))
                .isEqualTo("images.lab.example/ml/equipoise-service:0.1.0");
    }

    private static String image(Rendering rendering) {
        return rendering.pod("service").container().getImage();
    }

    @Test
    void ingressIsOptionalAndUsesTls() {
        assertThat(own.all(Ingress.class)).isEmpty();
        assertThat(lab.only(Ingress.class).getSpec().getTls())
                .singleElement()
                .satisfies(tls -> assertThat(tls.getHosts()).containsExactly("lab.example"));
    }
}
