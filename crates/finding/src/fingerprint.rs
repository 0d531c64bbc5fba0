//! Names for findings that outlive unrelated edits.
//!
//! A fingerprint is made of what the finding is about (kind, file, function, what its stations say
//! without their positions), never of line numbers. Findings that agree in all of that are told
//! apart by their order in the file.

use caulk_base::FxHashMap;

use crate::Finding;

/// Fills in the fingerprints. `findings` are in the order of the report.
pub fn assign(findings: &mut [Finding]) {
    let mut seen: FxHashMap<u128, u32> = FxHashMap::default();
    for finding in findings {
        let essence = hash(&parts(finding));
        let number = seen.entry(essence).or_default();
        finding.fingerprint =
            format!("{:032x}", hash(&[&essence.to_string(), &number.to_string()]));
        *number += 1;
    }
}

fn parts(finding: &Finding) -> Vec<&str> {
    let path = finding.primary.path.to_str().unwrap_or_default();
    let ends = [finding.path.first(), finding.path.last()];
    let said = ends.into_iter().flatten().map(|step| step.message.as_str());
    [finding.kind.id(), path, &finding.function, &finding.resource]
        .into_iter()
        .chain(said)
        .collect()
}

/// FNV-1a over the parts, each ended so that they cannot run into each other.
fn hash(parts: &[&str]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}
