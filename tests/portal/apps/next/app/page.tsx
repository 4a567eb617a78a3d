import { RhumblineSwap } from "@rhumbline/element/react";

type Props = { searchParams: Promise<Record<string, string>> };

export default async function Page({ searchParams }: Props) {
  const { api, from, to } = await searchParams;
  return <RhumblineSwap {...{ api, from, to }} className="swap" />;
}
