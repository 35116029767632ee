package dev.equipoise.app.profile;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface ProfileRepository extends JpaRepository<Profile, UUID> {

    /** What is needed of a profile to hand it to its worker. */
    record Open(UUID id, UUID workerId, ProfileState state) {}

    List<Open> findByStateInOrderByRequestedAt(Collection<ProfileState> states);

    List<Profile> findByWorkerIdOrderByRequestedAtDesc(UUID workerId, Limit limit);

    List<Profile> findByWorkerIdAndStateIn(UUID workerId, Collection<ProfileState> states);

    Optional<Profile> findFirstByWorkerIdAndNetworkAndStateInOrderByRequestedAtDesc(
            UUID workerId, String network, Collection<ProfileState> states);

    List<Profile> findByWorkerIdAndNetworkAndStateInOrderByRequestedAtDesc(
            UUID workerId, String network, Collection<ProfileState> states, Limit limit);
}
