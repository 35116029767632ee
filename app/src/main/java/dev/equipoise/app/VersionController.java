package dev.equipoise.app;

import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells anybody the version of the service. */
@Tag(name = "Service")
@RestController
@RequestMapping("/api/v1/version")
class VersionController {

    /**
     * Version of the service. It has no time of the build, as builds are reproducible.
     *
     * @param version version of the product
     * @param protocol version of the messages between service and agents
     */
    @Schema(name = "ServiceVersion")
    record ServiceVersion(SoftwareVersion version, ProtocolVersion protocol) {}

    /** Returns the version of the service, for anybody. */
    @GetMapping
    ServiceVersion getVersion() {
        return new ServiceVersion(SoftwareVersion.OWN, ProtocolVersion.OWN);
    }
}
