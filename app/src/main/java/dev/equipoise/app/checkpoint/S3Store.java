package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Stores files as objects of a bucket of S3 or a compatible service, which shows an object only
 * once it is complete.
 */
final class S3Store implements CheckpointStore, AutoCloseable {

    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);

    private final S3Client s3;
    private final String bucket;
    private final String prefix;

    private S3Store(S3Client s3, String bucket, String prefix) {
        this.s3 = s3;
        this.bucket = bucket;
        this.prefix = prefix;
    }

    static S3Store at(S3Settings settings) {
        var credentials = AwsBasicCredentials.create(settings.accessKey(), settings.secret());
        S3Client client =
                S3Client.builder()
                        .endpointOverride(settings.endpoint())
                        .region(Region.of(settings.region()))
                        .forcePathStyle(settings.pathStyle())
                        .credentialsProvider(StaticCredentialsProvider.create(credentials))
                        .httpClient(httpClient())
                        // Not every service understands the checksum trailers of the SDK.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        .build();
        return new S3Store(client, settings.bucket(), settings.prefix());
    }

    private static SdkHttpClient httpClient() {
        return UrlConnectionHttpClient.builder()
                .connectionTimeout(CONNECTION_TIMEOUT)
                .socketTimeout(SOCKET_TIMEOUT)
                .build();
    }

    @Override
    public void take(RunFile file, Path complete) throws IOException {
        call(() ->
                s3.putObject(
                        request -> request.bucket(bucket).key(key(file)),
                        RequestBody.fromFile(complete)));
    }

    private String key(RunFile file) {
        return prefix + file.name();
    }

    @Override
    public Optional<StoredPart> open(RunFile file) throws IOException {
        return call(() -> {
            try {
                ResponseInputStream<GetObjectResponse> content =
                        s3.getObject(request -> request.bucket(bucket).key(key(file)));
                return Optional.of(new StoredPart(content, content.response().contentLength()));
            } catch (NoSuchKeyException none) {
                return Optional.empty();
            }
        });
    }

    @Override
    public List<CheckpointPart> of(RunId run) throws IOException {
        return call(() -> files(objects(prefix + run + "-"), CheckpointPart::named));
    }

    @Override
    public List<ModelFile> modelsOf(RunId run) throws IOException {
        return call(() -> files(objects(prefix + run + "-"), ModelFile::named));
    }

    @Override
    public List<CheckpointPart> writtenBefore(Instant moment) throws IOException {
        return call(() -> files(objectsBefore(moment), CheckpointPart::named));
    }

    @Override
    public List<ModelFile> modelsWrittenBefore(Instant moment) throws IOException {
        return call(() -> files(objectsBefore(moment), ModelFile::named));
    }

    private Stream<S3Object> objectsBefore(Instant moment) {
        return objects(prefix).filter(it -> it.lastModified().isBefore(moment));
    }

    private Stream<S3Object> objects(String beginning) {
        return s3
                .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(beginning))
                .contents()
                .stream();
    }

    private <T extends RunFile> List<T> files(
            Stream<S3Object> objects, Function<String, Optional<T>> parser) {
        return objects.flatMap(it -> parser.apply(it.key().substring(prefix.length())).stream())
                .toList();
    }

    @Override
    public void remove(RunFile file) throws IOException {
        call(() -> s3.deleteObject(request -> request.bucket(bucket).key(key(file))));
    }

    private static <T> T call(Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (SdkException failure) {
            throw new IOException(failure);
        }
    }

    @Override
    public void close() {
        s3.close();
    }
}
