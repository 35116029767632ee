package dev.equipoise.app.profile;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

interface ProfileRepository extends JpaRepository<Profile, UUID> {

    List<Profile> findByWorkerIdOrderByRequestedAtDesc(UUID workerId, Limit limit);

    List<Profile> findByWorkerIdAndStateOrderByRequestedAtDesc(UUID workerId, ProfileState state);

    List<Profile> findByWorkerIdAndStateIn(UUID workerId, Collection<ProfileState> states);

    List<Profile> findByStateOrderByRequestedAt(ProfileState state, Limit limit);
}
